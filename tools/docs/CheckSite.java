import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks a site of javadoc: every link that stays in the site has a page and a place in it, each module has its page,
 * and the search knows each module.
 *
 * <p>Arguments: the folder of the site, and the names of its modules separated by commas.
 */
final class CheckSite {
    private static final Pattern LINK = Pattern.compile("\\s(?:href|src)=\"([^\"]*)\"");
    private static final Pattern PLACE = Pattern.compile("\\sid=\"([^\"]*)\"");

    private final Path site;
    private final Map<Path, Set<String>> places = new HashMap<>();
    private final Set<String> faults = new TreeSet<>();
    private int links;

    private CheckSite(Path site) {
        this.site = site;
    }

    public static void main(String... arguments) throws IOException {
        CheckSite check = new CheckSite(Path.of(arguments[0]));
        int pages = check.run(List.of(arguments[1].split(",")));
        check.faults.forEach(fault -> System.err.println("javadoc: " + fault));
        if (check.faults.isEmpty()) {
            System.err.println("javadoc: " + pages + " pages and " + check.links + " links in " + check.site);
        }
        System.exit(check.faults.isEmpty() ? 0 : 1);
    }

    private int run(List<String> modules) throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.toString().endsWith(".html")).toList();
        }
        String found = Files.readString(site.resolve("module-search-index.js"));
        for (String module : modules) {
            if (!Files.exists(site.resolve(module).resolve("module-summary.html"))) {
                faults.add(module + ": expected a page, found none");
            }
            if (!found.contains("\"" + module + "\"")) {
                faults.add(module + ": expected it in the search, found no such entry");
            }
        }
        for (Path page : pages) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                check(page, link.group(1).replace("&amp;", "&"));
            }
        }
        return pages.size();
    }

    private void check(Path page, String link) throws IOException {
        URI to;
        try {
            to = URI.create(link);
        } catch (IllegalArgumentException e) {
            faults.add(site.relativize(page) + ": '" + link + "' is no address: " + e.getMessage());
            return;
        }
        if (to.getScheme() != null) {
            return; // another site
        }
        links++;
        Path target = to.getPath().isEmpty() ? page : page.resolveSibling(to.getPath()).normalize();
        if (!target.startsWith(site) || !Files.isRegularFile(target)) {
            faults.add(site.relativize(page) + ": '" + link + "' leads to no page");
        } else if (to.getFragment() != null && !to.getFragment().isEmpty() && !places(target).contains(to.getFragment())) {
            faults.add(site.relativize(page) + ": '" + link + "' leads to no place of its page");
        }
    }

    /** The places of a page that a link can name. */
    private Set<String> places(Path page) throws IOException {
        Set<String> known = places.get(page);
        if (known == null) {
            known = new HashSet<>();
            Matcher place = PLACE.matcher(Files.readString(page));
            while (place.find()) {
                known.add(place.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
            }
            places.put(page, known);
        }
        return known;
    }
}

package io.devicearena.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The main classes of all modules, and what their module-info says. */
final class OurClasses {
    static final String ROOT = "io.devicearena";

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // the build writes one class into each natives jar
            .withImportOption(location -> !location.contains("-natives-"))
            .importPackages(ROOT);

    private OurClasses() {}

    /** The bindings that jextract printed; they follow the rules of jextract. */
    static boolean isGenerated(JavaClass type) {
        return type.getPackageName().equals(ROOT + ".wgpu.ffi")
                || type.getPackageName().contains("jmh_generated");
    }

    /** The modules of ours on the class path, by name. */
    static Map<String, ModuleDescriptor> modules() {
        Map<String, ModuleDescriptor> modules = new TreeMap<>();
        try {
            for (URL url : Collections.list(OurClasses.class.getClassLoader().getResources("module-info.class"))) {
                try (InputStream in = url.openStream()) {
                    ModuleDescriptor module = ModuleDescriptor.read(in);
                    if (module.name().startsWith(ROOT)) {
                        modules.put(module.name(), module);
                    }
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return modules;
    }
}

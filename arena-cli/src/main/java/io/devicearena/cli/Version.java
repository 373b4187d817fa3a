package io.devicearena.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the manifest of the jar. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"Device Arena " + (version == null ? "(development)" : version)};
    }
}

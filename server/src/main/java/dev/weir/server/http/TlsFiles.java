package dev.weir.server.http;

import java.nio.file.Path;

/**
 * The files with which a server proves its name to its clients, in the form PEM.
 *
 * @param certificate the certificate, followed by those of the authorities between it and one that clients trust
 * @param key the private key of the certificate
 */
public record TlsFiles(Path certificate, Path key) {}

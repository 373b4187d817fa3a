/** The provider {@code wgpu}: arenas on any GPU that wgpu-native reaches. */
@org.jspecify.annotations.NullMarked
module io.devicearena.wgpu {
    requires static org.jspecify;
    requires transitive io.devicearena;
}

// The words of CUDA C in C++, for kernels whose threads wait for each other: each thread of a block is a fiber, which runs
// up to the next barrier or shuffle. A file that has this header, the source of a kernel and then HOST(name) makes the
// kernel known to the driver.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <tuple>

#pragma GCC diagnostic ignored "-Wunused-function" // of the other kernels of a header

#define KERNEL extern "C" void
#define DEVICE static inline
#define BY_VALUE const
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GLOBAL(type, address) (*(type *)(address))
#define FLOAT_BITS(value) bits_of<unsigned>(value)
#define BITS_FLOAT(bits) bits_of<float>((unsigned)(bits))
#define HALF_FLOAT(bits) ((float)bits_of<_Float16>((unsigned short)(bits)))
#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STEP ((u64)gridDim.x * blockDim.x)
#define COMPUTED(number) ((void)(number))
#define __shared__ static
#define DYNAMIC_SHARED(name) static Words4 name[(48 << 10) / sizeof(Words4)]
#define __launch_bounds__(...)
#define __syncthreads() fiber_barrier(false)
#define __syncwarp(...) fiber_barrier(true)
#define __threadfence() ((void)0)

struct Dimensions {
    unsigned x, y, z;
};

extern Dimensions gridDim, blockDim, blockIdx, threadIdx;

template <class To, class From> inline To bits_of(From from) {
    static_assert(sizeof(To) == sizeof(From), "numbers of the same size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

// Waits for the other threads of the block, or of the warp.
void fiber_barrier(bool of_warp);

#define FIBER_NUMBERS 6
typedef unsigned FiberNumbers[FIBER_NUMBERS];

// Gives numbers to the other threads of the warp, and returns those of all lanes, until the exchange behind the next one.
const FiberNumbers *fiber_exchange(const unsigned *numbers, unsigned count);

template <class T> inline T __shfl_sync(unsigned, T value, unsigned lane) {
    unsigned bits = bits_of<unsigned>(value);
    return bits_of<T>(fiber_exchange(&bits, 1)[lane % 32][0]);
}

template <class T> inline T __shfl_xor_sync(unsigned mask, T value, unsigned distance) {
    return __shfl_sync(mask, value, (threadIdx.x % 32) ^ distance);
}

template <class T> inline T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
    unsigned lane = threadIdx.x % 32;
    return __shfl_sync(mask, value, lane + distance < 32 ? lane + distance : lane);
}

inline unsigned __ballot_sync(unsigned, bool value) {
    unsigned own = value, all = 0;
    const FiberNumbers *numbers = fiber_exchange(&own, 1);
    for (unsigned lane = 0; lane < 32; lane++) {
        all |= numbers[lane][0] << lane;
    }
    return all;
}

inline bool __any_sync(unsigned mask, bool value) { return __ballot_sync(mask, value) != 0; }

template <class T> inline T atomicAdd(T *address, T value) {
    T before = *address; // fibers take turns only where they wait
    *address = before + value;
    return before;
}

template <class T> inline T atomicMax(T *address, T value) {
    T before = *address;
    *address = before < value ? value : before;
    return before;
}

// Bytes of two words, each chosen by four bits.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned chosen) {
    unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned word = 0;
    for (int i = 0; i < 4; i++) {
        word |= (unsigned)(both >> 8 * (chosen >> 4 * i & 7) & 255) << 8 * i;
    }
    return word;
}

// The lower word of two, shifted to the right by up to 32 bits.
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}

inline float sinpif(float x) { return (float)sin(M_PI * x); }
inline float cospif(float x) { return (float)cos(M_PI * x); }
inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
inline float __expf(float x) { return expf(x); }
inline int __float2int_rn(float x) { return (int)nearbyintf(x); }

// ---- kernels that the driver calls

typedef void (*HostKernel)(const uint8_t *parameters);

// In kernels.c: what is registered here is found by its name.
extern "C" void register_kernel(const char *name, HostKernel kernel);

// A parameter, as a launch has it: at the next multiple of its alignment. Bits above the 48 of a pointer say what it is.
template <class T> inline T parameter(const uint8_t *parameters, size_t *offset) {
    T value;
    *offset = (*offset + alignof(T) - 1) / alignof(T) * alignof(T);
    memcpy((void *)&value, parameters + *offset, sizeof value);
    *offset += sizeof value;
    return value;
}

template <class T> inline T on_host(T value) { return value; }
template <class T> inline T *on_host(T *pointer) { return (T *)((uintptr_t)pointer & (((uintptr_t)1 << 48) - 1)); }

template <class... P> inline void call_kernel(void (*kernel)(P...), const uint8_t *parameters) {
    size_t offset = 0;
    // braces: from the first to the last
    std::tuple<typename std::remove_const<P>::type...> all{parameter<typename std::remove_const<P>::type>(parameters, &offset)...};
    std::apply([kernel](auto... each) { kernel(on_host(each)...); }, all);
}

#define HOST(name)                                                                                  \
    static void run_##name(const uint8_t *parameters) { call_kernel(name, parameters); }            \
    __attribute__((constructor)) static void register_##name() { register_kernel(#name, run_##name); }

// Runs the blocks of a kernel one after the other, and the threads of a block as fibers: see fibers.h. One kernel runs at
// a time: shared memory is static.
#include "fibers.h"
#include <mutex>
#include <vector>
#ifndef __x86_64__
#include <ucontext.h>
#endif

Dimensions gridDim, blockDim, blockIdx, threadIdx;

namespace {

const size_t STACK = 64 << 10;

// How many came to a barrier, and how often all did.
struct Meeting {
    unsigned came = 0, times = 0;
};

struct Warp {
    Meeting barrier, exchange;
    unsigned alive = 0, numbers[2][32][FIBER_NUMBERS]; // of this exchange and the last one, which may not be read yet
};

struct Fiber {
    std::vector<char> stack;
    bool done = true;
#ifdef __x86_64__
    void *place = nullptr; // of its registers on its stack
#else
    ucontext_t place;
#endif
};

std::mutex one_at_a_time;
std::vector<Fiber> fibers;
std::vector<Warp> warps;
Meeting block_barrier;
unsigned alive, current;
HostKernel kernel_now;
const uint8_t *parameters_now;

#ifdef __x86_64__
void *scheduler;

extern "C" void fiber_switch(void **from, void *to);

// Keeps the registers that a call keeps, and continues where `to` was left.
asm("fiber_switch:\n"
    "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n  pop %rbx\n  ret\n");

void leave() { fiber_switch(&fibers[current].place, scheduler); }
void enter() { fiber_switch(&scheduler, fibers[current].place); }
#else
ucontext_t scheduler;

void leave() { swapcontext(&fibers[current].place, &scheduler); }
void enter() { swapcontext(&scheduler, &fibers[current].place); }
#endif

void pause() {
    unsigned thread = current;
    leave();
    threadIdx.x = thread;
}

void wait(Meeting *meeting, unsigned of) {
    unsigned times = meeting->times;
    if (++meeting->came == of) {
        *meeting = {0, times + 1};
    }
    while (meeting->times == times) {
        pause();
    }
}

// Those that end are not waited for.
void release(Meeting *meeting, unsigned of) {
    if (of > 0 && meeting->came == of) {
        *meeting = {0, meeting->times + 1};
    }
}

void run_thread() {
    kernel_now(parameters_now);
    Warp *warp = &warps[current / 32];
    fibers[current].done = true;
    release(&block_barrier, --alive);
    warp->alive--;
    release(&warp->barrier, warp->alive);
    release(&warp->exchange, warp->alive);
    leave();
    abort();
}

void prepare(Fiber *fiber) {
    fiber->stack.resize(STACK);
    fiber->done = false;
#ifdef __x86_64__
    void **top = (void **)(((uintptr_t)fiber->stack.data() + STACK - 64) & ~(uintptr_t)63);
    *--top = nullptr;
    *--top = (void *)run_thread;
    for (int i = 0; i < 6; i++) {
        *--top = nullptr;
    }
    fiber->place = top;
#else
    getcontext(&fiber->place);
    fiber->place.uc_stack.ss_sp = fiber->stack.data();
    fiber->place.uc_stack.ss_size = STACK;
    makecontext(&fiber->place, run_thread, 0);
#endif
}

void run_block(unsigned threads) {
    alive = threads;
    block_barrier = {};
    warps.assign((threads + 31) / 32, Warp());
    for (unsigned i = 0; i < threads; i++) {
        warps[i / 32].alive++;
        prepare(&fibers[i]);
    }
    while (alive > 0) {
        for (current = 0; current < threads; current++) {
            if (!fibers[current].done) {
                threadIdx = {current, 0, 0};
                enter();
            }
        }
    }
}

} // namespace

void fiber_barrier(bool of_warp) {
    Warp *warp = &warps[current / 32];
    wait(of_warp ? &warp->barrier : &block_barrier, of_warp ? warp->alive : alive);
}

const FiberNumbers *fiber_exchange(const unsigned *numbers, unsigned count) {
    Warp *warp = &warps[current / 32];
    unsigned turn = warp->exchange.times % 2;
    memcpy(warp->numbers[turn][current % 32], numbers, count * sizeof *numbers);
    wait(&warp->exchange, warp->alive);
    return warp->numbers[turn];
}

// Blocks are of one axis.
extern "C" void run_fibers(HostKernel kernel, const uint8_t *parameters, const unsigned *grid, unsigned threads) {
    std::lock_guard<std::mutex> guard(one_at_a_time);
    kernel_now = kernel;
    parameters_now = parameters;
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {threads, 1, 1};
    if (fibers.size() < threads) {
        fibers.resize(threads);
    }
    for (blockIdx.z = 0; blockIdx.z < grid[2]; blockIdx.z++) {
        for (blockIdx.y = 0; blockIdx.y < grid[1]; blockIdx.y++) {
            for (blockIdx.x = 0; blockIdx.x < grid[0]; blockIdx.x++) {
                run_block(threads);
            }
        }
    }
}

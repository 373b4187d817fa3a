// Expressions of single elements: no compiler is there when a step is recorded, so a kernel gets the operations as numbers and
// computes one after the other. All threads have the same ones.
#pragma once

// What an operand is: 0 is a sum of products, then come the inputs, then the results of operations; from 128 on constants.
#define FIRST_INPUT 1
#define MOST_INPUTS 7
#define FIRST_RESULT (FIRST_INPUT + MOST_INPUTS)
#define MOST_OPERATIONS 48
#define FIRST_CONSTANT 128
#define MOST_CONSTANTS 24

typedef struct {
    u32 operations, result;
    u32 operation[MOST_OPERATIONS]; // a byte each: what is done, and three operands
    u32 constants[MOST_CONSTANTS];
} Expression;

typedef u32 Values[FIRST_RESULT + MOST_OPERATIONS];

// In the order of UnaryOperation and of BinaryOperation.
enum { ABS, NEGATE, SIGN, SQRT, EXP, LOG, SIN, COS, TANH, SIGMOID, ERF, FLOOR, CEIL, ROUND, NOT, TO_I32, TO_F32 };
enum {
    ADD = 32, SUBTRACT, MULTIPLY, DIVIDE, MINIMUM, MAXIMUM, POWER, REMAINDER, MODULO, EQUAL, LESS, LESS_OR_EQUAL, AND, OR,
    SELECT = 63,
    OF_INTEGERS = 64 // added where the operands are integers
};

DEVICE u32 operand(const Expression *expression, const u32 *values, u32 number) {
    return number < FIRST_CONSTANT ? values[number] : expression->constants[number - FIRST_CONSTANT];
}

DEVICE u32 of_float(u32 what, float x, float y) {
    switch (what) {
    case ABS: return FLOAT_BITS(fabsf(x));
    case NEGATE: return FLOAT_BITS(-x);
    case SIGN: return FLOAT_BITS((float)((x > 0) - (x < 0)));
    case SQRT: return FLOAT_BITS(sqrtf(x));
    case EXP: return FLOAT_BITS(expf(x));
    case LOG: return FLOAT_BITS(logf(x));
    case SIN: return FLOAT_BITS(sinf(x));
    case COS: return FLOAT_BITS(cosf(x));
    case TANH: return FLOAT_BITS(tanhf(x));
    case SIGMOID: return FLOAT_BITS(1 / (1 + expf(-x)));
    case ERF: return FLOAT_BITS(erff(x));
    case FLOOR: return FLOAT_BITS(floorf(x));
    case CEIL: return FLOAT_BITS(ceilf(x));
    case ROUND: return FLOAT_BITS(rintf(x));
    case TO_I32: return (u32)(int)x;
    case ADD: return FLOAT_BITS(x + y);
    case SUBTRACT: return FLOAT_BITS(x - y);
    case MULTIPLY: return FLOAT_BITS(x * y);
    case DIVIDE: return FLOAT_BITS(x / y);
    case MINIMUM: return FLOAT_BITS(fminf(x, y));
    case MAXIMUM: return FLOAT_BITS(fmaxf(x, y));
    case POWER: return FLOAT_BITS(powf(x, y));
    case REMAINDER: return FLOAT_BITS(fmodf(x, y));
    case MODULO: return FLOAT_BITS(x - y * floorf(x / y));
    case EQUAL: return x == y;
    case LESS: return x < y;
    default: return x <= y; // LESS_OR_EQUAL
    }
}

DEVICE int rest(int m, int n) { return n == 0 || n == -1 ? 0 : m % n; }

DEVICE int modulo(int m, int n) {
    int r = rest(m, n);
    return n == 0 ? m : r != 0 && (r < 0) != (n < 0) ? r + n : r;
}

DEVICE u32 of_integer(u32 what, u32 a, u32 b) {
    int m = (int)a, n = (int)b;
    switch (what) {
    case ABS: return m < 0 ? 0 - a : a;
    case NEGATE: return 0 - a;
    case SIGN: return (u32)((m > 0) - (m < 0));
    case NOT: return a == 0;
    case TO_F32: return FLOAT_BITS((float)m);
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case DIVIDE: return n == 0 ? a : n == -1 ? 0 - a : (u32)(m / n);
    case MINIMUM: return m < n ? a : b;
    case MAXIMUM: return m > n ? a : b;
    case REMAINDER: return (u32)rest(m, n);
    case MODULO: return (u32)modulo(m, n);
    case EQUAL: return a == b;
    case LESS: return m < n;
    case LESS_OR_EQUAL: return m <= n;
    case AND: return a != 0 && b != 0;
    default: return a != 0 || b != 0; // OR
    }
}

// The values have the sum and the inputs.
DEVICE u32 result_of(const Expression *expression, u32 *values) {
    for (u32 i = 0; i < expression->operations; i++) {
        u32 operation = expression->operation[i], what = operation % OF_INTEGERS;
        u32 a = operand(expression, values, operation >> 8 & 255);
        u32 b = operand(expression, values, operation >> 16 & 255);
        values[FIRST_RESULT + i] = what == SELECT ? a != 0 ? b : operand(expression, values, operation >> 24)
                                 : operation & OF_INTEGERS ? of_integer(what, a, b)
                                                           : of_float(what, BITS_FLOAT(a), BITS_FLOAT(b));
    }
    return operand(expression, values, expression->result);
}

/** Kernels by JCuda on the memory of an arena; start at {@link com.example.jcuda.Main}. */
package com.example.jcuda;

/** A function to learn, and how weights learn it. */
package com.example.mlp.learn;

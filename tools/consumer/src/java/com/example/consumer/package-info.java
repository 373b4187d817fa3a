/** A program that uses every published module. */
package com.example.consumer;

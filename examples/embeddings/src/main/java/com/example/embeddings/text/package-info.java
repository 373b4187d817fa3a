/** From texts to tokens. */
package com.example.embeddings.text;

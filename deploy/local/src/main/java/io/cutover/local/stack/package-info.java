/** Broker and emulator as one process, and a stream with a past to try a copy on. */
package io.cutover.local.stack;

// Empty: the compiler allows functions without bodies, which are linked by name, only beside a file such as this.

// The least that a process can be: what starting and ending one costs.
int main(void) { return 0; }

import { afterAll, vi } from 'vitest';

// Files of one worker share its process: none leaves its time to the next one.
afterAll(() => void vi.useRealTimers());

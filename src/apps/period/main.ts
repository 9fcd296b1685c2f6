import { runPage } from '../frame/frame.ts';

runPage(() => ({ input() {}, result() {}, show() {} }));

import './one-truth.test.ts';

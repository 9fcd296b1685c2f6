import './hardness.test.ts';

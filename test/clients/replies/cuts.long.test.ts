import './cuts.test.ts';

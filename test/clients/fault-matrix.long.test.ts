import './fault-matrix.test.ts';

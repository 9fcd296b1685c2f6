import './zip.test.ts';

import './plain.test.ts';

import './measures.test.ts';

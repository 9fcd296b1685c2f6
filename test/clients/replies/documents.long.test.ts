import './documents.test.ts';

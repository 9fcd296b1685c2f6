import './questions.test.ts';

import './list-columns.test.ts';

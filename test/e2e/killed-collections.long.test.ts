import './killed-collections.test.ts';

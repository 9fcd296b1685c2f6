import './store.test.ts';

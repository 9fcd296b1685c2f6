import './properties.test.ts';

import './year.test.ts';

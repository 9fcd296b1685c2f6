import './processes.test.ts';

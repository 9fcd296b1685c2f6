import './journal-processes.test.ts';

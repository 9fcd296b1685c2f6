import './xlsx.test.ts';

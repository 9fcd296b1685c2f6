import './xml-differential.test.ts';

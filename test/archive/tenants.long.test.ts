import './tenants.test.ts';

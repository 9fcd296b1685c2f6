import './reconcile.test.ts';

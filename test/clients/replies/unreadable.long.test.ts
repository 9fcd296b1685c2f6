import './unreadable.test.ts';

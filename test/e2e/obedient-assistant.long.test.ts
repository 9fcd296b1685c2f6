import './obedient-assistant.test.ts';

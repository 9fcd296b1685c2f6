import './conversation.test.ts';

import './confirmation-over-stdio.test.ts';

// The same sheets, with every code on them read by another program.
import './sheets.samples.test.ts';

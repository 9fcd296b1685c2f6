// With as many rows and files as a year of a large company has.
import './xlsx.test.ts';
import './zip.test.ts';

// The same tests as in memory and in a file: see `placeKinds`.
import './list-columns.test.ts';
import './measures.test.ts';
import './memory.test.ts';
import './text.test.ts';

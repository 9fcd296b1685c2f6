// The same tests as in memory and in a file: see `allPlaceKinds`.
import './questions.test.ts';
import './store.test.ts';
import './tenants.test.ts';

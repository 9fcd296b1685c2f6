// Installs what the tests of this folder need: `npm run test:interop` begins with it.
import { install } from '../../scripts/install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 19);
// The lock file brings a newer Node too, for where the one at work is older than what is installed here asks for.
install(import.meta.dirname, ...(isNewEnough ? ['--omit=optional'] : []));

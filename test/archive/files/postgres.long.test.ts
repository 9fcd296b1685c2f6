// The user's files with their archive in PostgreSQL, where its server is installed.
import './look-over.test.ts';

const kept = 300;

/** Prepared statements by their text, the ones used last. */
export function createStatements<Statement>(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) {
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const statement = prepare(sql);
    statements.set(sql, statement);
    for (const oldest of statements.keys()) {
      if (statements.size <= kept) break;
      statements.delete(oldest);
    }
    return statement;
  };
}

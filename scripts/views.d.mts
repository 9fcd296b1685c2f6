import type { Plugin } from 'vitest/config';

export function viewHtml(name: string): Promise<string>;
export const viewModulesOfTests: Plugin;

import type { Plugin } from 'vitest/config';

export function viewHtml(): Promise<string>;
export const viewModulesOfTests: Plugin;

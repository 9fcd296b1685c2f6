import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { CompanyResolver } from '../../company/company-resolver.ts';
import { VIEW_TYPE, views } from '../../tools/shared/views.ts';

/** Initial language, until the host names its own. */
const LANGUAGE = '<html lang="pt-BR">';

const shown = { ui: { prefersBorder: true } };

/** Registers the view pages unless `DFE_APPS` excludes them. As templates they stay out of the list of documents. */
export function registerViews(server: McpServer, { settings, translator }: CompanyResolver): void {
  if (settings.apps === 'off') return;
  server.registerResource(
    'views',
    new ResourceTemplate('ui://docfiscal/{view}.html', { list: undefined }),
    { title: translator.say('resource.views'), mimeType: VIEW_TYPE, _meta: shown },
    async (uri, { view: name }) => {
      if (!views.some((one) => one === name)) throw new ResourceNotFoundError(uri.href);
      // One page shows all answers; each kind of answer has its own URI.
      const { html } = await import('view:page');
      const text = html.replace(LANGUAGE, `<html lang="${translator.language}">`);
      return { contents: [{ uri: uri.href, mimeType: VIEW_TYPE, text, _meta: shown }] };
    },
  );
}

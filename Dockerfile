# docfiscal-mcp over HTTP for a team; see docs/team.md.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json LICENSE THIRD-PARTY-NOTICES.md ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="docfiscal-mcp" \
      org.opencontainers.image.description="MCP server for Brazilian electronic fiscal documents, over HTTP" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE /src/THIRD-PARTY-NOTICES.md ./
COPY --from=build /src/dist dist
RUN install -d -o node -g node -m 0700 /data
ENV DFE_DATA_DIR=/data \
    DFE_HTTP_HOST=0.0.0.0 \
    NODE_DISABLE_COMPILE_CACHE=1 \
    NODE_ENV=production
USER node
VOLUME /data
EXPOSE 3717
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3717/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/docfiscal-mcp.cjs"]
CMD ["http"]

# The service without development tools. The embedded chain is left out: name a node by RPC_URL_<chain id>.
#   docker build -t agent-marketplace . && docker run --env-file .env -v market:/data -p 8001:8001 agent-marketplace
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY docs/examples/agents/package.json docs/examples/agents/
COPY src/package/parts/package.json src/package/parts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN node src/package/build.ts

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
COPY src/package/parts/package.json src/package/parts/
# The binaries of anvil and forge, and of a second Node, are several hundred megabytes.
RUN npm ci --omit=dev --workspace=service-parts --include-workspace-root --no-audit --no-fund && rm -rf node_modules/@foundry-rs node_modules/node-linux-*

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8001 DATA_DIR=/data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8001
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(it => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/market.js", "start"]

# A release names the base by its digest: see docs/deploy.md.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
COPY clients/cli/package.json clients/cli/
COPY clients/cli/bin clients/cli/bin
COPY clients/console/package.json clients/console/
RUN npm ci --omit=dev

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
COPY clients/cli/package.json clients/cli/
COPY clients/cli/bin clients/cli/bin
COPY clients/console/package.json clients/console/
RUN npm ci --include=dev
COPY tsconfig.json tsconfig.build.json ./
COPY prisma/schema.prisma prisma/
COPY openapi openapi
COPY src src
COPY clients/typescript clients/typescript
COPY clients/cli clients/cli
COPY clients/console clients/console
RUN npm run build

FROM ${NODE_IMAGE}
WORKDIR /app
ARG NODE_IMAGE
ARG REVISION=
ARG VERSION=
LABEL org.opencontainers.image.title=flotilla org.opencontainers.image.licenses=Apache-2.0
LABEL org.opencontainers.image.version=$VERSION org.opencontainers.image.revision=$REVISION
LABEL org.opencontainers.image.base.name=$NODE_IMAGE
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/home/node/flotilla
COPY --from=packages /app/package.json ./
# The commit, for the metric flotilla_build_info.
RUN test -z "$REVISION" || npm pkg set "gitHead=$REVISION"
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/clients clients
COPY --from=build /app/dist dist
COPY --from=build /app/clients/cli/dist clients/cli/dist
COPY --from=build /app/clients/console/dist clients/console/dist
COPY openapi openapi
COPY prisma/migrations prisma/migrations
# A new named volume takes the owner of this folder.
RUN install --directory --owner=node --group=node --mode=700 /home/node/flotilla
USER node
EXPOSE 8000 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT || 8080}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/cmd/server.js"]

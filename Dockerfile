# The command line in an image without a shell: docker run --rm -v "$PWD:/work:ro" IMAGE check .
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.mjs --minify

FROM gcr.io/distroless/nodejs22-debian12:nonroot
COPY --from=build /build/dist/server/main.cjs /build/dist/server/program.cjs /build/dist/server/commands.cjs /build/dist/server/engine.cjs /build/dist/server/server.cjs /build/dist/server/editor.cjs /build/dist/server/policies.cjs /build/dist/server/rules.cjs /build/dist/server/sources.cjs /build/dist/server/builtinKinds.json.gz /build/dist/server/crossplane.json.gz /build/dist/server/crdSources.json.gz /build/dist/server/goLibrary.json.gz /build/dist/server/kro.json.gz /build/dist/server/openApi.json.gz /build/dist/NOTICES.txt /build/LICENSE /kube-crd/
USER nonroot
WORKDIR /work
ENTRYPOINT ["/nodejs/bin/node", "/kube-crd/main.cjs"]
CMD ["check", "."]

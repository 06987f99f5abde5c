# The server with its page: docker build -t secretary . && docker run -p 7077:7077 -v secretary:/data -v "$PWD:/project" secretary
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && mkdir /packed && npm pack --pack-destination /packed

FROM node:22-bookworm-slim
COPY --from=build /packed/*.tgz /tmp/packed.tgz
RUN npm install --global --no-audit --no-fund /tmp/packed.tgz && rm /tmp/packed.tgz \
  && mkdir /data /project && chown node:node /data /project
USER node
WORKDIR /project
ENV SECRETARY_HOME=/data SECRETARY_PROJECT=/project SECRETARY_HOST=0.0.0.0
EXPOSE 7077
ENTRYPOINT ["secretary"]
CMD ["serve"]

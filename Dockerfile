# The chapters in JupyterLab, in a container:
#     docker build --tag dpbook .
#     docker run --rm --publish 8888:8888 dpbook
# A BinderHub builds this file as well: it names the user, and starts the server itself.
FROM python:3.11-slim

ARG NB_USER=reader
ARG NB_UID=1000
RUN adduser --disabled-password --gecos "" --home /srv/${NB_USER} --uid ${NB_UID} ${NB_USER}

COPY . /source
# Binder starts the classic notebook
RUN pip install --no-cache-dir --constraint /source/constraints.txt "/source[lab]" notebook && rm -r /source

# Seen from outside of the container the server has another address; it asks for the token that it prints.
RUN mkdir -p /etc/jupyter \
    && echo '{"ServerApp": {"ip": "0.0.0.0", "open_browser": false}}' > /etc/jupyter/jupyter_server_config.json

USER ${NB_USER}
ENV HOME=/srv/${NB_USER}
WORKDIR ${HOME}
RUN dpbook lab notebooks --no-open
RUN dpbook compile
EXPOSE 8888
CMD ["dpbook", "lab", "notebooks"]

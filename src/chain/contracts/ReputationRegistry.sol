// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FeedbackBook} from "./FeedbackBook.sol";

/// @title The part of the identity registry that the reputation registry uses
interface IAgents {
    /// @dev Reverts for an agent that does not exist.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}

/// @title Reputation registry of agents according to ERC-8004, for chains that have no canonical one
/// @notice Anyone but the agent's owner and operators may rate it. Readers decide which ratings they count.
/// @dev Functions and events are those of the canonical registry, version 2. Feedback indexes of a client start at 1.
contract ReputationRegistry is FeedbackBook {
    /// @dev The arguments of `giveFeedback`, as a struct in memory.
    struct Rating {
        int128 value;
        uint8 valueDecimals;
        string tag1;
        string tag2;
        string endpoint;
        string feedbackURI;
        bytes32 feedbackHash;
    }

    uint8 private constant MAX_DECIMALS = 18;
    /// @dev Bounds values so that their sum fits an int256 after scaling to 18 decimals.
    int128 private constant MAX_ABS_VALUE = 1e38;
    IAgents private immutable _agents;

    mapping(uint256 agentId => address[]) private _clients;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => mapping(address responder => uint64))))
        private _responses;

    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    error BadRegistry(address registry);
    error TooManyDecimals(uint8 valueDecimals);
    error ValueTooLarge(int128 value);
    error SelfFeedback(address caller, uint256 agentId);
    error FeedbackNotFound(uint256 agentId, address client, uint64 feedbackIndex);
    error AlreadyRevoked(uint256 agentId, uint64 feedbackIndex);
    error ResponseMissing();
    error ClientsMissing();

    constructor(IAgents agents) {
        require(address(agents).code.length > 0, BadRegistry(address(agents)));
        _agents = agents;
    }

    // ------------------------------------------------------------------ feedback

    /// @notice Rates an agent with `value / 10^valueDecimals`. Endpoint, URI and hash are only in the event.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MAX_DECIMALS, TooManyDecimals(valueDecimals));
        require(value >= -MAX_ABS_VALUE && value <= MAX_ABS_VALUE, ValueTooLarge(value));
        require(!_agents.isAuthorizedOrOwner(msg.sender, agentId), SelfFeedback(msg.sender, agentId));

        // The fields are set one by one because a single expression with this many arguments exceeds the stack limit.
        Rating memory rating;
        rating.value = value;
        rating.valueDecimals = valueDecimals;
        rating.tag1 = tag1;
        rating.tag2 = tag2;
        rating.endpoint = endpoint;
        rating.feedbackURI = feedbackURI;
        rating.feedbackHash = feedbackHash;
        _give(agentId, rating);
    }

    /// @notice Revokes a rating of the caller. It stays readable but is no longer counted.
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        Feedback storage feedback = _get(agentId, msg.sender, feedbackIndex);
        require(!feedback.isRevoked, AlreadyRevoked(agentId, feedbackIndex));
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /// @notice Responds to a rating, any number of times. Callable by anyone, such as the agent or a spam filter.
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        require(bytes(responseURI).length > 0, ResponseMissing());
        _get(agentId, clientAddress, feedbackIndex).responseCount++;
        _responses[agentId][clientAddress][feedbackIndex][msg.sender]++;
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    // ------------------------------------------------------------------ views

    /// @notice Count and average of the ratings by `clientAddresses`, in the decimals that most of them use, or in fewer where the
    /// average would not fit.
    /// @dev The clients must be named. An average over all clients would favour those with the most accounts.
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals) {
        require(clientAddresses.length > 0, ClientsMissing());
        Query memory query = _query(tag1, tag2, false);
        (query.agentId, query.clients) = (agentId, clientAddresses);
        Page memory page = _find(query);
        count = uint64(page.values.length);
        if (count == 0) return (0, 0, 0);

        int256 sum;
        uint64[MAX_DECIMALS + 1] memory uses;
        for (uint256 i; i < count; i++) {
            uint8 decimals = page.valueDecimals[i];
            sum += page.values[i] * _power(MAX_DECIMALS - decimals);
            uses[decimals]++;
        }
        for (uint8 decimals = 1; decimals <= MAX_DECIMALS; decimals++) {
            if (uses[decimals] > uses[summaryValueDecimals]) summaryValueDecimals = decimals;
        }
        int256 average = sum / int256(uint256(count));
        int256 scaled = average / _power(MAX_DECIMALS - summaryValueDecimals);
        // An average of large values and small ones with many decimals may not fit. Without decimals every average does.
        while (scaled != int128(scaled)) scaled = average / _power(MAX_DECIMALS - --summaryValueDecimals);
        summaryValue = int128(scaled);
    }

    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    )
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage it = _get(agentId, clientAddress, feedbackIndex);
        return (it.value, it.valueDecimals, it.tag1, it.tag2, it.isRevoked);
    }

    /// @notice All ratings by `clientAddresses`, or by every client when none is named.
    function readAllFeedback(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2,
        bool includeRevoked
    )
        external
        view
        returns (
            address[] memory clients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        )
    {
        Query memory query = _query(tag1, tag2, includeRevoked);
        query.agentId = agentId;
        query.clients = clientAddresses;
        if (query.clients.length == 0) query.clients = _clients[query.agentId];
        Page memory page = _find(query);
        (clients, feedbackIndexes) = (page.clients, page.feedbackIndexes);
        (values, valueDecimals) = (page.values, page.valueDecimals);
        (tag1s, tag2s, revokedStatuses) = (page.tag1s, page.tag2s, page.revokedStatuses);
    }

    /// @notice Number of responses by `responders`, or by anyone when none is named. A zero client means all clients,
    /// a zero index means all ratings of the client.
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count) {
        address[] memory clients = _clients[agentId];
        if (clientAddress != address(0)) {
            clients = new address[](1);
            clients[0] = clientAddress;
        }
        for (uint256 i; i < clients.length; i++) {
            bool isOne = clientAddress != address(0) && feedbackIndex > 0;
            uint64 last = isOne ? feedbackIndex : _lastIndex[agentId][clients[i]];
            for (uint64 index = isOne ? feedbackIndex : 1; index <= last; index++) {
                count += _countResponses(agentId, clients[i], index, responders);
            }
        }
    }

    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _lastIndex[agentId][clientAddress];
    }

    function getIdentityRegistry() external view returns (address) {
        return address(_agents);
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    // ------------------------------------------------------------------ internal

    function _give(uint256 agentId, Rating memory rating) private {
        uint64 index = ++_lastIndex[agentId][msg.sender];
        if (index == 1) _clients[agentId].push(msg.sender);
        Feedback storage feedback = _feedback[agentId][msg.sender][index];
        (feedback.value, feedback.valueDecimals) = (rating.value, rating.valueDecimals);
        (feedback.tag1, feedback.tag2) = (rating.tag1, rating.tag2);
        emit NewFeedback(
            agentId,
            msg.sender,
            index,
            rating.value,
            rating.valueDecimals,
            rating.tag1,
            rating.tag1,
            rating.tag2,
            rating.endpoint,
            rating.feedbackURI,
            rating.feedbackHash
        );
    }

    function _query(
        string calldata tag1,
        string calldata tag2,
        bool includeRevoked
    ) private pure returns (Query memory) {
        return Query(0, new address[](0), keccak256(bytes(tag1)), keccak256(bytes(tag2)), includeRevoked);
    }

    function _countResponses(
        uint256 agentId,
        address client,
        uint64 index,
        address[] calldata responders
    ) private view returns (uint64 count) {
        if (responders.length == 0) return _feedback[agentId][client][index].responseCount;
        for (uint256 i; i < responders.length; i++) count += _responses[agentId][client][index][responders[i]];
    }

    function _get(uint256 agentId, address client, uint64 index) private view returns (Feedback storage) {
        require(index > 0 && index <= _lastIndex[agentId][client], FeedbackNotFound(agentId, client, index));
        return _feedback[agentId][client][index];
    }

    function _power(uint8 exponent) private pure returns (int256) {
        return int256(10 ** uint256(exponent));
    }
}
